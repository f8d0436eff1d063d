"""Everything that everybody was told, and whose secrets were in it."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.security.calling import Caller, somebody
from tests.server.running import Server


@dataclass
class Listener:
    """Hears what each caller receives, and knows who may be told which secret."""

    told: list[tuple[Caller, str, str]] = field(default_factory=list)
    owners: dict[str, set[str]] = field(default_factory=dict)
    """The tokens of those who may be told a secret; a token itself is told by `POST /keys` alone, once."""

    def heard(self, caller: Caller, what: str, text: str) -> None:
        """Note what somebody received."""
        self.told.append((caller, what, text))

    def know(self, secret: str, *callers: Caller) -> str:
        """Note a secret, and who may be told it; a code is one however it is written."""
        for text in {secret, secret.replace("-", "")}:
            self.owners.setdefault(text, set()).update(one.token for one in callers)
        return secret

    def somebody(self, server: Server, name: str, *, browser: bool = False) -> Caller:
        """Return somebody with a new key."""
        one = somebody(server, name, browser=browser, heard=self.heard)
        self.owners[one.token] = set()
        return one

    def leaks(self) -> list[str]:
        """Return what was told to whom it must not be told; who has it in the address knows it already."""
        return [
            f"{caller.name}, {what}: {'a secret' if owners else 'a key'}"
            for caller, what, text in self.told
            for secret, owners in self.owners.items()
            if secret in text and caller.token not in owners and secret not in what and what != "POST /api/v1/keys"
        ]
