# sourcegrad 0.1.0: adjoint of list_building.py:list_building (32d77e03), wrt x
# for x: float, n: int
import math


def list_building_grad(x, n, total_bar=1.0):
    # forward sweep
    parts = []
    saved = []
    term = x
    for i in range(n):
        cos_term = math.cos(term)
        saved.append((term, cos_term))
        term = term * cos_term
        parts.append(term)
    part_saved = []
    stop = len(parts)
    for i in range(stop):
        part = parts[i]
        part_saved.append(part)
    # reverse sweep
    # line 7: parts = []
    parts_bar = [0.0] * len(parts)
    for i in range(stop - 1, -1, -1):
        part = part_saved.pop()
        # line 14: total = total + part * part
        part_bar = 2.0 * total_bar * part
        # line 13: for part in parts:
        parts_bar[i] += part_bar
    term_bar = 0.0
    for _ in range(n):
        term, cos_term = saved.pop()
        # line 11: parts.append(term)
        term_bar = term_bar + parts_bar.pop()
        # line 10: term = term * math.cos(term)
        term_bar_1 = term_bar * cos_term
        term_bar = term_bar_1 - term_bar * term * math.sin(term)
    return term_bar
