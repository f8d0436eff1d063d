"""Players that are asked about all positions at once: arrays, modules of PyTorch, models of Stable-Baselines3.

Each comes to an array with a row for each position, in the order of `zerosum.game_table(game)`, and a column for each
action. Neither PyTorch nor Stable-Baselines3 is imported: whoever hands in one of their objects has loaded them.
"""

from __future__ import annotations

import inspect
import sys
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from zerosum.arena.strength.best_response import Edges
from zerosum.arena.strength.named_policies import OFF, BadAnswerError
from zerosum.base.errors import BadValueError
from zerosum.base.extras import missing
from zerosum.base.text import shorten
from zerosum.solver.encoding import cells_of
from zerosum.solver.game_table import Array, GameTable

try:
    import numpy as np
except ImportError as error:
    raise missing(__name__, error) from error

AT_ONCE: Final = 1 << 14

Rows = Callable[[Array, Array], Array]
"""Returns a row for each of some positions, given what the seat to move sees and which actions are legal."""


def reader_of(player: object) -> Callable[..., Edges] | None:
    """Return what reads the chances of a player: an array, a module, or a model; None if it is none of them."""
    torch = sys.modules.get("torch")
    if isinstance(player, np.ndarray):
        return of_array
    if torch is not None and isinstance(player, torch.nn.Module):
        return of_module
    is_model = all(hasattr(player, name) for name in ("policy", "predict", "observation_space", "action_space"))
    return of_model if is_model else None


def of_array(table: GameTable, rows: Array, *, greedy: bool) -> Edges:
    """Return the chances that an array gives: an action for each position, or a row of chances for each.

    With `greedy`, a row may hold any numbers, and the legal action with the greatest is chosen.
    """
    shape = table.size, table.actions
    if rows.shape == shape[:1] and rows.dtype.kind in "iu":
        return _checked(table, _actions(rows, table.actions), "action")
    if rows.shape != shape:
        raise BadValueError(
            f"An array for {table.rules.name} has a whole number for each of its {table.size:,} positions, the action "
            f"there, or {shape[0]:,} rows of {shape[1]} chances; this one has the shape {rows.shape}."
        )
    found = np.asarray(rows, np.float64)
    return _checked(table, _best(found, table.mask) if greedy else found, "row")


def of_module(table: GameTable, module: Any, *, greedy: bool) -> Edges:
    """Return the chances of a module that maps observations to a score for each action.

    The softmax of the scores over the legal actions are its chances; with `greedy` it takes the best.
    """
    torch = sys.modules["torch"]
    first = next(iter(module.parameters()), None)
    where = {} if first is None else {"device": first.device, "dtype": first.dtype}

    def ask(seen: Array, _mask: Array) -> Array:
        scores = module(torch.as_tensor(seen.astype(np.float32)).to(**where))
        return _numbers(scores, (len(seen), table.actions), "module")

    with _asleep(module), torch.no_grad():
        scores = _batches(table, ask)
    return _checked(table, _best(scores, table.mask) if greedy else _softmax(scores, table.mask), "row")


def of_model(table: GameTable, model: Any, *, greedy: bool) -> Edges:
    """Return the chances of a model of Stable-Baselines3 or sb3-contrib.

    Illegal actions are left out, as a mask does, even if the model was trained without one. A model without chances,
    such as a DQN, takes the best action by its values.
    """
    policy = model.policy
    torch = sys.modules["torch"]
    observe = _observer(model, table)
    rows: Rows
    if hasattr(policy, "q_net"):
        greedy = True

        def rows(seen: Array, mask: Array) -> Array:
            return _numbers(policy.q_net(observe(seen, mask)), (len(seen), table.actions), "model")

    elif hasattr(policy, "get_distribution"):
        parameters = inspect.signature(policy.get_distribution).parameters
        if "lstm_states" in parameters:
            raise BadValueError("A model that remembers earlier positions cannot be measured: it is no policy.")
        masks = "action_masks" in parameters

        def rows(seen: Array, mask: Array) -> Array:
            more = {"action_masks": mask} if masks else {}
            found = policy.get_distribution(observe(seen, mask), **more).distribution.probs
            return _numbers(found, (len(seen), table.actions), "model")

    else:
        raise BadValueError(
            f"A model of {type(model).__name__} gives neither chances nor values of actions; measure a function of a "
            "position that asks it."
        )
    with _asleep(policy), torch.no_grad():
        found = _batches(table, rows)
    return _checked(table, _best(found, table.mask) if greedy else _legal_share(found, table.mask), "row")


def _observer(model: Any, table: GameTable) -> Callable[[Array, Array], Any]:
    """Return what makes tensors of observations: with masks, if the model was trained on both."""
    spaces = getattr(model.observation_space, "spaces", None)

    def observe(seen: Array, mask: Array) -> Any:
        if spaces is None:
            return model.policy.obs_to_tensor(seen.astype(model.observation_space.dtype))[0]
        both = {"observation": seen, "action_mask": mask}
        if spaces.keys() - both.keys():
            raise BadValueError(f"The model observes {', '.join(spaces)}; our environments give {', '.join(both)}.")
        return model.policy.obs_to_tensor({name: both[name].astype(spaces[name].dtype) for name in spaces})[0]

    actions = getattr(model.action_space, "n", None)
    if actions != table.actions:
        raise BadValueError(f"The model has {actions} actions; {table.rules.name} has {table.actions}.")
    return observe


@contextmanager
def _asleep(module: Any) -> Iterator[None]:
    """Ask a module as it plays, not as it learns: without dropout; then leave it as it was."""
    learning = module.training
    module.eval()
    try:
        yield
    finally:
        module.train(learning)


def _batches(table: GameTable, ask: Rows) -> Array:
    # Copies: tensors of the table's own arrays could write into it.
    parts = (slice(low, low + AT_ONCE) for low in range(0, table.size, AT_ONCE))
    return np.concatenate([ask(table.observation[part].copy(), table.mask[part].copy()) for part in parts])


def _numbers(tensor: Any, shape: tuple[int, int], what: str) -> Array:
    found = tensor.detach().cpu().double().numpy() if hasattr(tensor, "detach") else None
    if found is None or found.shape != shape:
        got = type(tensor).__name__ if found is None else f"the shape {found.shape}"
        raise BadValueError(f"The {what} must give a score for each of {shape[1]} actions, {shape}; it gave {got}.")
    return np.asarray(found)


def _actions(actions: Array, count: int) -> Array:
    """Return an action for each position as chances; one that does not exist has none."""
    found = np.zeros((len(actions), count))
    there = np.flatnonzero((actions >= 0) & (actions < count))
    found[there, actions[there]] = 1.0
    return found


def _best(scores: Array, mask: Array) -> Array:
    """Return rows that choose the legal action with the greatest score, the first of several."""
    legal = np.where(mask, scores, -np.inf)
    found = np.zeros(scores.shape)
    found[np.arange(len(scores)), legal.argmax(axis=1)] = 1.0
    # What is not a number is no score, and the row is refused.
    found[np.isnan(np.where(mask, scores, 0.0)).any(axis=1)] = np.nan
    return found


def _softmax(scores: Array, mask: Array) -> Array:
    legal = np.where(mask, scores, -np.inf)
    with np.errstate(invalid="ignore"):
        shares: Array = np.exp(legal - legal.max(axis=1, keepdims=True))
        return _legal_share(shares, mask)


def _legal_share(shares: Array, mask: Array) -> Array:
    """Return chances over the legal actions alone."""
    legal = np.where(mask, shares, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Array = legal / legal.sum(axis=1, keepdims=True)
    return found


def _checked(table: GameTable, rows: Array, kind: str) -> Edges:
    """Return the chance of every edge; refuse a wrong row of a position that the player can meet."""
    with np.errstate(invalid="ignore"):
        illegal = np.where(table.mask, 0.0, rows) != 0
        whole = rows.sum(axis=1)
        wrong = illegal.any(axis=1) | ~(abs(whole - 1) <= OFF) | (rows < 0).any(axis=1)
    shares = np.where(wrong[:, None], 0.0, rows / np.where(wrong | (whole == 0), 1.0, whole)[:, None])
    edges = shares.reshape(-1)[cells_of(table.graph, table.actions)]
    met = _met(table, edges)
    at = np.flatnonzero(wrong & met)
    if len(at):
        state = int(at[0])
        raise BadAnswerError(table.position(state), _why(table, rows[state], state, kind))
    owner = np.repeat(met, np.diff(np.asarray(table.graph.first)))
    return array("d", np.where(owner, edges, 0.0).tobytes())


def _why(table: GameTable, row: Array, state: int, kind: str) -> str:
    legal = [table.rules.index_of(move) for move in table.position(state).legal_moves()]
    if kind == "action":
        chosen = np.flatnonzero(row)
        said = f"action {chosen[0]} is not legal" if len(chosen) else "there is no such action"
        return f"{said}; the legal ones are {', '.join(map(str, legal))}."
    outside = [action for action in np.flatnonzero(row) if action not in legal]
    if outside and np.isfinite(row).all():
        return f"action {outside[0]} is not legal, and has the chance {row[outside[0]]:.6g}."
    return f"row {state:,} is not chances that sum to 1: {shorten(str(row.tolist()))}."


def _met(table: GameTable, edges: Array) -> Array:
    """Return for each position whether the player can be to move there, in either seat and against anybody."""
    graph = table.graph
    first, to = np.asarray(graph.first), np.asarray(graph.to)
    moves, waits = np.zeros(graph.size, np.bool_), np.zeros(graph.size, np.bool_)
    moves[0] = waits[0] = True
    for low, high in graph.spans:
        part = slice(first[low], first[high])
        after, counts = to[part], np.diff(first[low : high + 1])
        goes_on = after >= 0
        waits[after[goes_on & np.repeat(moves[low:high], counts) & (edges[part] > 0)]] = True
        moves[after[goes_on & np.repeat(waits[low:high], counts)]] = True
    return moves
