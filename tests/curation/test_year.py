import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[2]


def test_a_simulated_year_ends_as_it_should(tmp_path: Path) -> None:
    picture = tmp_path / "year.svg"
    done = subprocess.run(
        [sys.executable, ROOT / "benchmarks" / "year.py", "--svg", picture, "--seed", "7"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    lines = ElementTree.parse(picture).findall("{http://www.w3.org/2000/svg}polyline")
    assert len(lines) == 9
