"""Every limit of tables and classrooms (`docs/reference/limits.md` shows them)."""

from typing import Final

TABLE_EVENTS: Final = 20_000
"""Events at a table; beyond it a match can be finished but no other begins, and nothing is undone."""
MOVE_ID_LENGTH: Final = 64
"""Characters in a `move_id`."""
MOVE_LENGTH: Final = 40
"""Characters in a move."""
ABSENT_SECONDS: Final = 180
"""Seconds without a sign of an opponent whose turn it is, after which the match can be claimed."""
CLOCK_MINUTES: Final = 180
"""Minutes on a clock; at least one."""
CLOCK_INCREMENT: Final = 60
"""Seconds a move adds to a clock."""
VARIANT_LENGTH: Final = 8 * 1024
"""Characters in uploaded rules."""
VARIANT_MARKS: Final = 500
"""Lines, commas, dots, brackets and the like in uploaded rules, which are read while others wait."""
ROOM_MINUTES: Final = 180
"""Minutes that a room plays; at least one."""
ROOM_PUPILS: Final = 200
"""Pupils in a room."""
ROOM_EVENTS: Final = 50_000
"""Events in a room; beyond it nobody joins, no match begins, and nothing is paused."""
ROOM_NAME_LENGTH: Final = 20
"""Characters in the name of a pupil."""
ROOM_ABSENT_SECONDS: Final = 30
"""Seconds without a sign of a partner in a room, after which the other may take the win or a new partner."""
ROOM_FINISH_SECONDS: Final = 120
"""Seconds in which a match may be finished after its room has ended; a later result does not count."""
ROOM_DAYS: Final = 7
"""Days after which a room is deleted, with its tables and names."""
