"""An import contract that import-linter lacks: who may import what is not in the standard library.

Its list is of what is allowed, so that it holds for rooms and packages that nobody has thought of yet.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output

Import = tuple[str, str]


class ExternalImportsContract(Contract):
    """Every import of a third-party package is allowed by a line `MODULE: PACKAGE...`, and every line is needed."""

    type_name = "external_imports"
    allowed = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: ARG002 - its name is the base's
        """Return whether what is imported and what is allowed are the same."""
        found = set(third_party_imports(graph))
        lines = set(_read(self.allowed))  # type: ignore[arg-type] # a field becomes its value
        refused = {one for one in found if not any(_covers(line, one) for line in lines)}
        unused = {line for line in lines if not any(_covers(line, one) for one in found)}
        return ContractCheck(kept=not refused and not unused, metadata={"refused": refused, "unused": unused})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print the imports that no line allows, and the lines that allow nothing."""
        for module, package in sorted(check.metadata["refused"]):
            output.print_error(f"{module} imports {package}, which is not in the standard library.")
        for module, package in sorted(check.metadata["unused"]):
            output.print_error(f"{module} is allowed to import {package}, but does not.")


def third_party_imports(graph: ImportGraph) -> Iterator[Import]:
    """Yield every direct import of a package that is neither zerosum nor part of the standard library."""
    for module in graph.modules:
        if _inside(module, "zerosum"):
            for imported in graph.find_modules_directly_imported_by(module):
                package = imported.partition(".")[0]
                if package != "zerosum" and package not in sys.stdlib_module_names:
                    yield module, package


def _read(lines: Iterable[str]) -> Iterator[Import]:
    for line in lines:
        module, _, packages = line.partition(":")
        for package in packages.split():
            yield module, package


def _covers(line: Import, found: Import) -> bool:
    return line[1] == found[1] and _inside(found[0], line[0])


def _inside(module: str, folder: str) -> bool:
    return module == folder or module.startswith(f"{folder}.")
