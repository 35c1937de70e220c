"""Runs the example shops as programs."""

import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
VARIABLES = {"PSP_URL": "http://127.0.0.1:1", "PSP_API_KEY": "key", "PSP_WEBHOOK_SECRET": "secret", "PORT": "0"}


@pytest.mark.parametrize("shop", ["fastapi_shop", "django_shop"])
def test_ctrl_c_ends_the_example_shop_without_a_traceback(shop: str) -> None:
    command = [sys.executable, str(EXAMPLES / f"{shop}.py")]
    with subprocess.Popen(
        command, env={**os.environ, **VARIABLES}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().strip()
            # The address is printed before the server handles signals. A response shows that it does.
            with pytest.raises(urllib.error.HTTPError):
                urllib.request.urlopen(f"{url}/nothing", timeout=30)
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate(timeout=30)
        finally:
            process.kill()
    assert (output, errors, process.returncode) == ("", "", 0)
