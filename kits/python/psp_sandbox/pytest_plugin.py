"""The pytest fixtures `psp`, `psp_shop` and `psp_shop_async`. Installing the package makes them available."""

from collections.abc import Iterator

import pytest

from . import executable, operations, sandbox, shop
from .aio import AsyncShop
from .sandbox import Sandbox
from .shop import Shop

# The report of a failed test shows the lines of the test, not those of the kit.
for module in (executable, operations, sandbox, shop):
    vars(module)["__tracebackhide__"] = True


@pytest.fixture(scope="session")
def psp_flags() -> list[str]:
    """The flags of the sandbox. Override this fixture in `conftest.py`: `return ["--clock=frozen"]`."""
    return []


@pytest.fixture(scope="session")
def psp(psp_flags: list[str]) -> Iterator[Sandbox]:
    """The sandbox of the session. With pytest-xdist, each worker has a sandbox."""
    with Sandbox(*psp_flags) as sandbox:
        yield sandbox


@pytest.fixture
def psp_shop(psp: Sandbox) -> Shop:
    """A separate shop for each test."""
    return psp.shop()


@pytest.fixture
def psp_shop_async(psp_shop: Shop) -> AsyncShop:
    """The shop of the test with awaitable methods."""
    return AsyncShop(psp_shop)
