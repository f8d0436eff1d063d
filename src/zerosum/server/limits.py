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
REQUEST_PIECES: Final = 500
"""Chunks of the body of a request; each costs time, however small."""
STUCK_SECONDS: Final = 30
"""Seconds after which a connection is cut whose client reads nothing."""
CONNECTIONS: Final = 1_200
"""Connections from one address; not counted behind a proxy, where all come from one."""
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
LIVE_PIECES: Final = 64
"""Frames of one message on a live connection; one more closes it with 1008."""
LIVE_PING_SECONDS: Final = 20
"""Seconds between two pings on a live connection, and seconds to wait for each pong; then it is closed."""
LIVE_QUEUE: Final = 64
"""Messages waiting for a slow reader, beside what it missed; one more closes its connection with 1008."""
LIVE_MESSAGES: Final = (40, 20.0)
"""Messages on one live connection; more closes it with 1008."""
REQUESTS: Final = (600, 300.0)
"""Requests and live messages from one address; each KiB of a body counts as one more."""
TIME: Final = (200, 100.0)
"""Milliseconds of processor time that requests from one address may take; moves of seated players are not counted."""
HELD_SECONDS: Final = 0.005
"""Seconds that one step of other requests waits at most while a move of a seated player is under way."""
SEATED_MOVES: Final = (40, 20.0)
"""Commands that one seat sends by requests and that wait for nobody else's; more wait for their turn like any other."""
REFUSALS: Final = (50, 50.0)
"""Requests too many from one address that are answered after a second; more are answered later."""
PAGE_REQUESTS: Final = 5
"""Requests that a page counts as."""
LIVE_REQUESTS: Final = 10
"""Requests that opening a live connection counts as."""
TOO_MANY_SECONDS: Final = 1
"""Seconds before a request too many is answered, to slow a flood down."""
TABLES: Final = (300, 2.0)
"""Tables begun from one address."""
SECRETS: Final = (20, 0.2)
"""Invitations and personal codes tried from one address."""
QUESTIONS: Final = (60, 5.0)
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
DRAIN_SECONDS: Final = 5
"""Seconds to finish answers when the server has to stop."""
PAIR_SECONDS: Final = 0.5
"""Seconds between two pairings of the pupils who wait in a room."""
ROOM_COMPUTER_SECONDS: Final = 10
"""Seconds that a pupil waits for a partner before a computer steps in, if the room has computers."""
ROOMS: Final = (20, 0.02)
"""Rooms opened from one address."""
ROOM_JOINS: Final = (600, 10.0)
"""Wishes to join one room; each pupil of a full one may tap three times at once."""
ROOM_REQUESTS: Final = (4_000, 1_500.0)
"""Requests and live messages of one room, wherever its pupils are; they are not charged to their address."""
ROOM_TIME: Final = (2_000, 300.0)
"""Milliseconds of processor time that requests of one room may take; moves of seated players are not counted."""
ROOM_QUESTIONS: Final = (400, 40.0)
"""Questions about games from one room."""
ADDRESS_ROOM_REQUESTS: Final = (12_000, 3_000.0)
"""Requests of all rooms together from one address."""
ADDRESS_ROOM_LIVE: Final = (800, 40.0)
"""Live connections to all rooms together that one address opens: ten classes that come back at once, then few."""
ADDRESS_ROOM_TIME: Final = (6_000, 600.0)
"""Milliseconds that requests of all rooms together from one address may take."""
ROOM_LIVE: Final = 500
"""Live connections to one room."""
CODE_SLIPS: Final = 30
"""Wrong codes from one address before each further one makes it wait, twice as long each time."""
CODE_WAIT_SECONDS: Final = 600
"""Seconds that an address waits at most after a wrong code."""
CODE_FORGET_SECONDS: Final = 60
"""Seconds after which one wrong code is forgotten."""
ALL_CODE_SLIPS: Final = (300, 5.0)
"""Wrong codes from all addresses; beyond it whoever gives a code, a right one too, waits for the answer."""
CODE_DELAY_SECONDS: Final = 3
"""Seconds that somebody who gives a right code waits at most, however many wrong ones others give."""
