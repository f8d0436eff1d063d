"""Every limit of the server, in one table (`docs/reference/limits.md` shows it)."""

from typing import Final

BODY_BYTES: Final = 128 * 1024
"""The body of a request."""
FRAME_BYTES: Final = 4 * 1024
"""A message on a live connection; a larger one closes it with 1009."""
HEAD_BYTES: Final = 16 * 1024
"""The address and the headers of a request."""
REQUEST_SECONDS: Final = 20
"""Seconds for a whole request to arrive, from its first byte; for the first request, from the connection."""
KEEP_ALIVE_SECONDS: Final = 15
"""Seconds without a request after which a connection is closed."""
READ_BYTES: Final = 8 * 1024
"""Bytes of the system's buffer for a connection: at most a few of these are parsed before another gets its turn."""
STUCK_SECONDS: Final = 30
"""Seconds after which a connection is cut whose client reads nothing."""
SOON_SECONDS: Final = 0.01
"""Seconds between two looks whether the server has started."""
SWEEP_SECONDS: Final = 0.5
"""Seconds between two looks for connections that wait too long, or are too many."""
CONNECTIONS: Final = 1_200
"""Connections from one address that wait for a request; not counted behind a proxy, where all come from one."""
PAGE_EVENTS: Final = 200
"""Events in one answer; a live connection without states that missed more gets one message instead."""
CATCH_UP_STATES: Final = 20
"""Events sent one by one, each with its state, to a live connection that comes back; beyond it one state is sent."""
TABLES_LISTED: Final = 20
"""Tables that the list of a person's tables shows."""
TABLES_IN_MEMORY: Final = 2_000
"""Tables kept in memory, beside those that somebody looks at live; others are read from the database when asked for."""
TABLE_BYTES_IN_MEMORY: Final = 256 * 1024 * 1024
"""Bytes of all tables kept in memory, estimated from their events; others are read again when asked for."""
ROOMS_IN_MEMORY: Final = 500
"""Classrooms kept in memory, beside those that somebody looks at live or that play; others are read when asked for."""
ROOM_BYTES_IN_MEMORY: Final = 64 * 1024 * 1024
"""Bytes of all classrooms kept in memory, estimated from their pupils and matches; others are read when asked for."""
LOADING_BYTES: Final = 48 * 1024 * 1024
"""Bytes of all tables that are being read from the database, and of all classrooms; one more waits, unless alone."""
LOADS_WAITING: Final = 200
"""Tables that wait to be read from the database; one more is refused."""
DEVICES: Final = 8
"""Devices on which one seat can be held at a time; the oldest gives way, once the page it has open is left."""
SEEN_SECONDS: Final = 4
"""Seconds between two notes that somebody is there."""
HEARTBEAT_SECONDS: Final = 2
"""Seconds between two notes that the server is up; a missing one means an outage, which costs nobody time."""
POLL_SECONDS: Final = 2
"""Seconds between two polls of the database for events of other replicas, in case a notification was lost."""
LIVE_PER_ADDRESS: Final = 1_000
"""Live connections from one address."""
LIVE_PER_TABLE: Final = 100
"""Live connections of spectators at one table, and as many of its players."""
LIVE_PING_SECONDS: Final = 20
"""Seconds between two pings on a live connection, and seconds to wait for each pong; then it is closed."""
LIVE_QUEUE: Final = 64
"""Messages waiting for a slow reader, beside what it missed; one more closes its connection with 1008."""
WORK: Final = (4_000, 500.0)
"""Milliseconds of processor time that one address may cause, by the prices of what it asks for: half a processor."""
NEWCOMERS_WEIGHT: Final = 20
"""The weight of the share of all at an address who have none of their own: the account is divided by weight."""
PLAYER_WEIGHT: Final = 1
"""The weight of the share of somebody who has made a move."""
DESK_WEIGHT: Final = 10
"""The weight of the share of the desk of a classroom."""
NEWCOMERS_LARGEST: Final = 0.4
"""The largest part of an account for newcomers, even if nobody else is active."""
PLAYER_LARGEST: Final = 0.1
"""The same for a player."""
DESK_LARGEST: Final = 0.2
"""The same for a desk."""
SMALLEST_SHARE: Final = 60
"""Milliseconds that the smallest share holds at once: some pages and moves."""
SHARE_SECONDS: Final = 10
"""Seconds without a request after which a share is divided among the others; and what it can owe, at its rate."""
SHARES: Final = 500
"""Players and desks at one address that are remembered as such."""
API_COST: Final = 3
"""Milliseconds that a request to the API counts as."""
TABLE_COST: Final = 3
"""Milliseconds that a page of a table counts as; boards are drawn after every move."""
PAGE_COST: Final = 5
"""Milliseconds that any other page counts as."""
LIVE_COST: Final = 5
"""Milliseconds that opening a live connection counts as."""
REFUSAL_COST: Final = 0.5
"""Milliseconds that a refused request counts as."""
TOO_MANY_SECONDS: Final = 1
"""Seconds before a request too many is answered, to slow a flood down."""
TABLES: Final = (300, 2.0)
"""Tables begun from one address."""
SECRETS: Final = (30, 0.2)
"""Invitations and personal codes tried from one address, and wrong codes of classrooms."""
QUESTIONS: Final = (200, 20.0)
"""Questions about games from one address; a review of a long match counts as several."""
ADDRESSES: Final = 10_000
"""Addresses whose rates are remembered."""
DAILY_DAYS: Final = 9
"""Days for which the tries of a browser at a daily are stored, so that an older cookie takes nothing back."""
APPEND_BATCH: Final = 256
"""Events written in one transaction."""
DATABASE_CACHE: Final = 8_192
"""KiB of an SQLite file that stay in memory: enough for 500 running matches. SQLite keeps 2,000 by itself."""
DATABASE_QUEUE: Final = 4_000
"""Jobs waiting for the database; one more is refused."""
DATABASE_SECONDS: Final = 3
"""Seconds to wait for the database: for a connection, a lock or a statement."""
DURABILITY_SECONDS: Final = 60
"""Seconds after which PostgreSQL is asked again whether it keeps what it commits; also asked at every connection."""
UPGRADE_LOCK_SECONDS: Final = 60
"""Seconds to wait at the start for another server that upgrades the same database; an upgrade itself has no limit."""
CHECK_SECONDS: Final = 0.2
"""Seconds to look for damage in a database file; damage found later shows when it is read."""
DRAIN_SECONDS: Final = 5
"""Seconds to finish answers when the server has to stop."""
PAIR_SECONDS: Final = 0.5
"""Seconds between two pairings of the pupils who wait in a room."""
ROOM_COMPUTER_SECONDS: Final = 10
"""Seconds that a pupil waits for a partner before a computer steps in, if the room has computers."""
ROOMS: Final = (20, 0.02)
"""Rooms opened from one address."""
ROOM_LIVE: Final = 500
"""Live connections to one room."""
GUESSES: Final = (300, 5.0)
"""Wrong codes from all addresses; beyond it whoever gives a code, a right one too, waits for the answer."""
CODE_DELAY_SECONDS: Final = 3
"""Seconds that somebody who gives a right code waits at most, however many wrong ones others give."""
COMPUTER_SECONDS: Final = 1.0
"""Seconds that a page without a script waits for the move of a computer."""
FORM_FIELDS: Final = 40
"""Fields of a form."""
FORM_FILES: Final = 2
"""Files of a form."""
WALL_BOARDS: Final = 100
"""Boards that the wall of a room shows."""
