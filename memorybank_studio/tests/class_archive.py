"""The classes of the graph engine, read once and laid down in the form in which a Java machine maps them.

    python -m memorybank_studio.tests.class_archive .made/classes.jsa

The tests start some sixty engines; each takes a third less of the processor with it (conftest.py names it to them). An
archive that does not fit the engine that is installed is not used, and nothing else changes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import arcadedb_embedded.jvm

ENGINE = "import sys; from pathlib import Path; from memorybank_studio.hub.connection import EmbeddedEngine as Engine; "
LOADED = f"{ENGINE} Engine(Path(sys.argv[1]), ('facts', 'plans')).close()"
AS_THE_ENGINE = ("-XX:+UseCompactObjectHeaders", "-XX:+UseSerialGC")
"""What an archive is made with, it is used with (hub/embedded_process.py, arcadedb_embedded/jvm.py)."""


def make(archive: Path) -> None:
    """Start an engine once, for the names of what it loads, and dump those classes."""
    with tempfile.TemporaryDirectory() as folder:
        names = Path(folder) / "classes.lst"
        given = {**os.environ, "ARCADEDB_JVM_ARGS": f"-XX:DumpLoadedClassList={names}"}
        subprocess.run([sys.executable, "-c", LOADED, f"{folder}/graph"], env=given, check=True)
        arcadedb_embedded.jvm.start_jvm()
        path = arcadedb_embedded.jvm.jpype.java.lang.System.getProperty("java.class.path")
        java = Path(arcadedb_embedded.jvm.get_bundled_jre_lib_path()).parents[2] / "bin" / "java"
        dumped = ("-Xshare:dump", f"-XX:SharedClassListFile={names}", f"-XX:SharedArchiveFile={archive.absolute()}")
        subprocess.run([java, *AS_THE_ENGINE, *dumped, "-cp", str(path)], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    make(Path(sys.argv[1]))
