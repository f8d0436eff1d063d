"""What every page is given: the key of its viewer, and the request's context."""

from typing import Annotated

from fastapi import Depends

from zerosum.server.domain.keys import Key
from zerosum.server.http.auth import page_key
from zerosum.server.http.context import RequestContext, request_context

PageKey = Annotated[Key, Depends(page_key)]
Context = Annotated[RequestContext, Depends(request_context)]
