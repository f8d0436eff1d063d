"""What a page is given: the key of whoever looks at it, and the server."""

from typing import Annotated

from fastapi import Depends

from zerosum.server.callers import page_key
from zerosum.server.house import House, house
from zerosum.server.keys import Key

PageKey = Annotated[Key, Depends(page_key)]
TheHouse = Annotated[House, Depends(house)]
