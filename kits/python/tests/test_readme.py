"""Runs the tests of the README with each example shop."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

KIT = Path(__file__).parent.parent
SNIPPETS = re.findall(r"```python\n# (\w+\.py)\n(.*?)```", (KIT / "README.md").read_text(), re.DOTALL)


@pytest.mark.parametrize("shop", ["fastapi_shop", "django_shop"])
def test_the_tests_of_the_readme_pass_with_the_shop(shop: str, tmp_path: Path) -> None:
    assert [name for name, _ in SNIPPETS] == ["conftest.py", "test_orders.py"]
    for name, code in SNIPPETS:
        (tmp_path / name).write_text(code)
    shutil.copy(KIT / "examples" / f"{shop}.py", tmp_path / "shop.py")
    shutil.copy(KIT / "examples" / "orders.py", tmp_path)
    ran = subprocess.run([sys.executable, "-m", "pytest", "-q"], cwd=tmp_path, capture_output=True, text=True)
    assert re.search(r"\b3 passed\b", ran.stdout), ran.stdout + ran.stderr


def test_the_fixture_app_of_the_readme_fails_with_the_errors_of_a_shop_that_does_not_start(tmp_path: Path) -> None:
    for name, code in SNIPPETS:
        (tmp_path / name).write_text(code)
    (tmp_path / "shop.py").write_text("import a_module_that_is_missing\n")
    ran = subprocess.run([sys.executable, "-m", "pytest", "-q"], cwd=tmp_path, capture_output=True, text=True)
    assert "shop.py did not start: Traceback" in ran.stdout
    assert "No module named 'a_module_that_is_missing'" in ran.stdout
