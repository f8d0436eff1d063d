"""A host without a server: it answers questions itself and keeps tables as lists of events, with neither network nor clock.

It is all that a screen needs, and so the least that another host has to be.
"""

from __future__ import annotations

from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeVar
from urllib.parse import parse_qsl, urlsplit

from zerosum.jobs.job_table import Job, JobError, job_error_of
from zerosum.base.errors import ZerosumError
from zerosum.match.setup import Person
from zerosum.players import play
from zerosum.screens.screen import Answer, Invited, OwnTable, Surroundings, TableSight, Visit, screen_at
from zerosum.tables.commands import COMMANDS, Command, Moment, UnconfirmedForfeit, computer_draft, sender_of
from zerosum.tables.events import EventKind, automatic_event
from zerosum.tables.new_table import TableRequest, open_request
from zerosum.tables.problems import Problem
from zerosum.tables.table import Table, open_table

P = ParamSpec("P")
T = TypeVar("T")
