"""A problem, as a page."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import Response

from zerosum.server.domain.problems import Problem
from zerosum.server.http.responses import problem_response
from zerosum.server.pages.templates import render_page


def problem_page(request: Request, problem: Problem) -> Response:
    """Return a page that says what went wrong and what to do."""
    answer = render_page(request, "problem.html", status=problem.status, here="", problem=problem)
    headers = problem_response(problem).headers
    for name in ("Allow", "Retry-After", "WWW-Authenticate"):
        if name in headers:
            answer.headers[name] = headers[name]
    return answer
