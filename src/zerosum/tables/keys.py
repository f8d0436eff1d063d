"""Keys: who holds a seat, without accounts.

A key is a random token that a browser keeps in a cookie and a program in a header. The database knows only its hash.
The personal code of a seat and an invitation are derived from the key of the person who may see them. So they too are
stored only as hashes, and can still be shown again to that person and to nobody else.
"""

from __future__ import annotations

import base64
import hmac
import random
import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from zerosum.match.setup import Person
from zerosum.tables.events import DICE

_TOKEN: Final = re.compile(r"zs_[A-Za-z0-9_-]{43}")
_TOKEN_BYTES: Final = 32
_LETTERS: Final = "0123456789abcdefghjkmnpqrstvwxyz"
_SECRET_LENGTH: Final = 28
"""Five bits a letter: 140 bits."""
_GROUP: Final = 4
_SECRET: Final = re.compile(f"[{_LETTERS}]{{{_SECRET_LENGTH}}}")
_CODE_LENGTH: Final = 6
"""Thirty bits: few enough to type, and far too many to try one by one."""
_ROOM_CODE: Final = re.compile(f"[{_LETTERS}]{{{_CODE_LENGTH}}}")
_LOOKALIKES: Final = str.maketrans({"o": "0", "i": "1", "l": "1", "u": "v", "-": None, " ": None})


@dataclass(frozen=True, slots=True)
class Key:
    """A token; its text is never printed."""

    token: str

    def __repr__(self) -> str:
        """Keep the token out of logs and tracebacks."""
        return "Key(...)"

    @property
    def hash(self) -> str:
        """What the database keeps."""
        return hash_of(self.token)


def new_key(dice: random.Random = DICE) -> Key:
    """Return a key that nobody has."""
    token = base64.urlsafe_b64encode(dice.randbytes(_TOKEN_BYTES)).rstrip(b"=")
    return Key(f"zs_{token.decode()}")


def read_key(text: str) -> Key | None:
    """Return the key that `text` writes; None if it cannot be one."""
    return Key(text) if _TOKEN.fullmatch(text) else None


def hash_of(secret: str) -> str:
    """Return the hash of a secret of full length; such a secret needs no salt."""
    return sha256(secret.encode()).hexdigest()


def same_hash(first: str, second: str) -> bool:
    """Compare two hashes in constant time."""
    return hmac.compare_digest(first, second)


def code_of(key: Key, table_id: str, person: Person) -> str:
    """Return the personal code of a seat, in groups that can be read and typed."""
    secret = _derive(key, f"code {table_id} {person.value}")
    return "-".join(secret[at : at + _GROUP] for at in range(0, _SECRET_LENGTH, _GROUP))


def invitation_of(key: Key, table_id: str) -> str:
    """Return the invitation that the holder of `key` gives to a table."""
    return _derive(key, f"invitation {table_id}")


def read_secret(text: str) -> str | None:
    """Return a code or an invitation as it is hashed, however it was typed; None if it cannot be one."""
    plain = text.strip().lower().translate(_LOOKALIKES)
    return plain if _SECRET.fullmatch(plain) else None


def new_room_code(dice: random.Random = DICE) -> str:
    """Return a code for a room."""
    return "".join(dice.choice(_LETTERS) for _ in range(_CODE_LENGTH))


def read_room_code(text: str) -> str | None:
    """Return the code of a room however it was typed; None if it cannot be one.

    >>> read_room_code(" K7O-2mx "), read_room_code("K7O2M")
    ('k702mx', None)
    """
    plain = text.strip().lower().translate(_LOOKALIKES)
    return plain if _ROOM_CODE.fullmatch(plain) else None


def shown_room_code(code: str) -> str:
    """Return the code of a room as people read and type it.

    >>> shown_room_code("k702mx")
    'K70 2MX'
    """
    return f"{code[:3]} {code[3:]}".upper()


def new_secret(dice: random.Random = DICE) -> str:
    """Return a secret for a link that works once."""
    return "".join(dice.choice(_LETTERS) for _ in range(_SECRET_LENGTH))


def _derive(key: Key, what: str) -> str:
    number = int.from_bytes(hmac.digest(key.token.encode(), what.encode(), "sha256"))
    return "".join(_LETTERS[number >> (5 * at) & 31] for at in range(_SECRET_LENGTH))
