"""Write the golden adjoints anew."""

from __future__ import annotations

from tests.golden import NAMES, generated, text_path

for name in NAMES:
    path, text = text_path(name), generated(name)
    before = path.read_text(encoding="utf-8") if path.exists() else None
    if text != before:
        path.write_text(text, encoding="utf-8", newline="\n")
        print("rewritten:", path.name)
print(f"{len(NAMES)} golden adjoints are current")
