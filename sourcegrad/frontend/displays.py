"""Displays of tuples, lists and dicts: structures known when compiling."""

from __future__ import annotations

from typing import Any

from sourcegrad.frontend import spreads
from sourcegrad.frontend.name_reads import NameReads
from sourcegrad.frontend.structs import Abstract, Struct
from sourcegrad.ir import Op


class Displays(NameReads):
    """Builds tuple, list and dict displays."""

    def display(self, kind: type, items: list[Abstract], site: Any) -> Abstract:
        """A tuple or list display; a list that is mutated is a run-time one."""
        return Struct(kind, tuple(range(len(items))), items, None, site)

    def expr_Tuple(self, node: Any) -> Abstract:
        parts = spreads.evaluated(self, node.elts)
        if spreads.is_open(parts):
            return Op("tuple", spreads.plain(self, parts, node))
        return Struct(tuple, tuple(range(len(parts))), parts)

    def expr_List(self, node: Any) -> Abstract:
        parts = spreads.evaluated(self, node.elts)
        if spreads.is_open(parts):
            return spreads.listed(self, parts, node)
        return self.list_display(parts, node)

    def list_display(self, items: list[Abstract], node: Any) -> Abstract:
        """A list display: static, or a run-time list if it is mutated."""
        return self.display(list, items, self.site(node))

    def expr_Dict(self, node: Any) -> Abstract:
        from sourcegrad.frontend.known import known, literal

        keys: list[Any] = []
        items: list[Abstract] = []
        mark = self.mark()
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                part = self.structure(self.expr(value))
                if not (isinstance(part, Struct) and part.is_dict):
                    raise self.unsupported(
                        node, "a dict display with ** of an unknown dict"
                    )
                keys += part.keys
                items += part.items
                continue
            found = self.passive_expr(key)
            if not known(found):
                self.back_to(mark)
                return self.unknown_dict(node)
            keys.append(literal(found))
            items.append(self.expr(value))
        merged = dict(zip(keys, items, strict=True))
        return self.dict_display(tuple(merged), list(merged.values()), self.site(node))

    def structure(self, tree: Abstract) -> Abstract:
        """A dict that changes as it is now (see `Mappings`)."""
        raise AssertionError("Mappings provides it")

    def dict_display(self, keys: Any, items: list[Abstract], site: Any) -> Abstract:
        """A dict display; one that changes is kept apart (see `Mappings`)."""
        return Struct(dict, keys, items, None, site)

    def unknown_dict(self, node: Any) -> Abstract:
        """A dict display with keys known only at run time: inactive only."""
        pairs = [n for pair in zip(node.keys, node.values, strict=True) for n in pair]
        found = self.in_order(pairs)
        if not self.passive and any(map(self.is_varied, found)):
            raise self.unsupported(node, "a dict of active values with computed keys")
        return Op("dict", tuple(found))
