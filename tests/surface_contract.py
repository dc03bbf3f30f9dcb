"""A contract for import-linter: packages beside the bank use what it declares, and nothing else of it."""

from __future__ import annotations

from typing import Any

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class SurfaceContract(Contract):  # type: ignore[misc]
    """Kept while the importing packages import, of a package, no module beside those of its surface.

    Their tests may import more. A module of the surface that nobody imports breaks the contract, too: the list says
    what is used.
    """

    importers = fields.ListField(subfield=fields.StringField())
    package = fields.StringField()
    surface = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Compare what is imported with the list."""
        used: dict[str, str] = {}
        for importer in self.importers:
            inside = {importer, *graph.find_descendants(importer)}
            for module in inside - graph.find_descendants(f"{importer}.tests"):
                for target in graph.find_modules_directly_imported_by(module):
                    if target.split(".")[0] == self.package:
                        used.setdefault(target, module)
        metadata = {
            "private": sorted((target, used[target]) for target in used.keys() - set(self.surface)),
            "unused": sorted(set(self.surface) - used.keys()),
        }
        return ContractCheck(kept=not any(metadata.values()), metadata=metadata)

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print each import that is not declared, and each declaration that is not used."""
        found: dict[str, Any] = check.metadata
        for target, module in found["private"]:
            output.print_error(f"{module} imports {target}, which is not of the surface")
        for target in found["unused"]:
            output.print_error(f"nobody imports {target}: take it off the surface")
