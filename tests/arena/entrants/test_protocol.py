"""The protocol, line by line: what is written is read back, and what is strange is ignored or refused."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.each import each
from zerosum.arena.entrants.protocol import (
    BestMove,
    BotMessage,
    BotOption,
    Chances,
    ErrorMessage,
    Go,
    Identity,
    Info,
    Order,
    ProtocolError,
    Query,
    Response,
    RulesFollow,
    SetOption,
    SetPosition,
    SimpleMessage,
    SimpleOrder,
    TellIllegal,
    TellResult,
    read_message,
    read_order,
    write_message,
    write_order,
)

NUMBERS = st.integers(0, 10**11)
WORDS = st.sampled_from(
    ["Hash", "x", "name", "+5", "1,2,3", "0/4", "fen", "startpos", "infinite", "12", "-", "=", "\N{SNOWMAN}"]
)
TEXTS = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)
MOVES = st.lists(st.sampled_from(["+5", "-5", "+-3", "--3", "swap"]), max_size=5).map(tuple)
TO_BOTS: st.SearchStrategy[Order] = st.one_of(
    st.sampled_from(SimpleOrder),
    st.builds(SetOption, TEXTS, st.one_of(st.just(""), TEXTS)),
    st.builds(RulesFollow, NUMBERS),
    st.builds(SetPosition, st.one_of(st.none(), TEXTS), MOVES),
    st.builds(
        Go,
        movetime=st.one_of(st.none(), NUMBERS),
        clocks=st.one_of(st.none(), st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS)),
        depth=st.one_of(st.none(), NUMBERS),
        nodes=st.one_of(st.none(), NUMBERS),
    ),
    st.builds(Query, st.sampled_from(["gameover", "p1turn", "result"])),
    st.builds(TellIllegal, WORDS, TEXTS),
    st.builds(TellResult, st.sampled_from([1, 2]), TEXTS),
)
CHANCES = st.dictionaries(st.sampled_from(["+5", "-5", "+-3", "swap"]), st.floats(0, 1), max_size=4)
FROM_BOTS: st.SearchStrategy[BotMessage] = st.one_of(
    st.sampled_from(SimpleMessage),
    st.builds(Identity, st.sampled_from(["name", "author"]), TEXTS),
    st.builds(BotOption, TEXTS),
    st.builds(Info, TEXTS),
    st.builds(BestMove, st.one_of(st.just(""), WORDS)),
    st.builds(Chances, CHANCES),
    st.builds(Response, TEXTS),
    st.builds(ErrorMessage, TEXTS),
)


@given(TO_BOTS)
def test_an_order_is_read_back(order: Order) -> None:
    assert read_order(write_order(order)) == order
    assert read_order(f"  {write_order(order)} \r") == order


@given(FROM_BOTS)
def test_an_utterance_is_read_back(said: BotMessage) -> None:
    assert read_message(write_message(said)) == said


@given(st.text(max_size=60))
def test_any_line_is_read_ignored_or_refused(line: str) -> None:
    for read in (read_order, read_message):
        with contextlib.suppress(ProtocolError):
            read(line)


LINES_TO_A_BOT = {
    "ugi": SimpleOrder.UGI,
    "uginewgame": SimpleOrder.NEW_GAME,
    "position startpos": SetPosition(),
    "position startpos moves": SetPosition(),
    "position startpos moves +5 -3 swap": SetPosition(None, ("+5", "-3", "swap")),
    "position fen 1,2,3,4,7 28 1": SetPosition("1,2,3,4,7 28 1"),
    "position fen 1,2 0/4 2 +5,swap moves +1": SetPosition("1,2 0/4 2 +5,swap", ("+1",)),
    "go movetime 500": Go(movetime=500),
    "go p1time 1 p2time 2 p1inc 3 p2inc 4": Go(clocks=(1, 2, 3, 4)),
    "go infinite": Go(),
    "go": Go(),
    "go wait depth 3": Go(depth=3),
    "rules 14": RulesFollow(14),
    "setoption name Hash Size value 16": SetOption("Hash Size", "16"),
    "setoption name Clear": SetOption("Clear"),
    "tell illegal +5 it is gone": TellIllegal("+5", "it is gone"),
    "tell result 2 overshot": TellResult(2, "overshot"),
    "tell me more": None,
    "joho": None,
    "": None,
    "   ": None,
    'pool = ["ugi"]': None,
}


@each("line", LINES_TO_A_BOT)
def test_a_line_to_a_bot(line: str) -> None:
    assert read_order(line) == LINES_TO_A_BOT[line]


LINES_FROM_A_BOT = {
    "ugiok": SimpleMessage.UGI_OK,
    "readyok": SimpleMessage.READY_OK,
    "id name My  Bot 2": Identity("name", "My  Bot 2"),
    "id elo 2000": None,
    "bestmove +5": BestMove("+5"),
    "bestmove": BestMove(""),
    "bestmove +5 ponder -3": BestMove("+5"),
    "bestmoves +5": None,
    "info depth 3 score win 5 nodes 8": Info("depth 3 score win 5 nodes 8", "win 5"),
    "info score loss 12": Info("score loss 12", "loss 12"),
    "info score unknown": Info("score unknown", "unknown"),
    "info score winning": Info("score winning"),
    "info": Info(""),
    "policy +5:0.25 --3:.75": None,
    "policy +5:0.25 --3:7.5e-1": Chances({"+5": 0.25, "--3": 0.75}),
    "policy": Chances({}),
    "error what?": ErrorMessage("what?"),
    "I have won": None,
}


@pytest.mark.parametrize("line", LINES_FROM_A_BOT)
def test_a_line_from_a_bot(line: str) -> None:
    expected = LINES_FROM_A_BOT[line]
    if line.endswith(":.75"):
        with pytest.raises(ProtocolError, match="not a move and its chance"):
            read_message(line)
    else:
        assert read_message(line) == expected


@pytest.mark.parametrize(
    "line",
    [
        *("go movetime", "go movetime x", "go depth -1", "go nodes \N{ARABIC-INDIC DIGIT THREE}", "rules", "rules ten"),
        *("position", "position fen", "position here", "query elo", "setoption Hash 3"),
    ],
)
def test_an_order_that_is_half_right_is_refused(line: str) -> None:
    with pytest.raises(ProtocolError):
        read_order(line)


@pytest.mark.parametrize("line", ["policy +5", "policy +5:nan", "policy +5:-1", "policy +5:1_0", "policy +5:1 +5:0"])
def test_a_policy_that_is_none_is_refused(line: str) -> None:
    with pytest.raises(ProtocolError):
        read_message(line)
