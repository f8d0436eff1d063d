"""The key of whoever looks at a page."""

from typing import Annotated

from fastapi import Depends

from zerosum.server.callers import page_key
from zerosum.server.keys import Key

PageKey = Annotated[Key, Depends(page_key)]
