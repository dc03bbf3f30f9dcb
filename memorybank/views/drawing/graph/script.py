"""The drawing code as one plain script: for the component, and for a page of one's own that works from disk.

    <style> :root { --st-text-color: #1d2630; --st-background-color: #fff; … } </style>
    <div id="graph" style="height: 560px"></div>
    <script>{graph_script()}</script>
    <script>
      const graph = globalThis.__memorybank_graph.open(document.getElementById("graph"));
      graph.show(picture);                       // again with each other picture; places never move
      graph.onSelect((node, edge) => …);         // ids, or null: the reader clicked
      graph.select(node); graph.fit(); graph.destroy();
    </script>

A picture is a view's nodes and edges and `parts["frame"]` as JSON, plus what is wanted of: `selected` (a node) and
`calm: true` when nothing is to be acted out (a leap; steps show how nodes become one).

The container needs a height. Colours and fonts come from CSS variables named as Streamlit names them, on the container
or above it: --st-text-color, --st-background-color, --st-secondary-background-color, --st-border-color,
--st-primary-color, --st-font, --st-base-radius, --st-button-radius. After a change of theme, show the picture again.
JSON inside a <script> needs "<" written as "\\u003c". The script makes no request, no global but this one, and no HTML
out of data.
"""

from __future__ import annotations

import functools
import json
import re
from importlib import resources

from memorybank.views.drawing.beside import text_beside

_read = functools.partial(text_beside, __package__)

_CODE = (
    "theme.js",
    "labels.js",
    "legend.js",
    "frame.js",
    "viewport.js",
    "pointer.js",
    "effects.js",
    "view.js",
    "mount.js",
)


@functools.cache
def graph_script() -> str:
    """Return the library, our code and our style sheet. They are safe inside a <script> element; about 480 kB."""
    file = resources.files("pyvis").joinpath("templates/lib/vis-9.1.2/vis-network.min.js")
    # It ends with a note for debuggers that names a file which is not there.
    library = file.read_text(encoding="utf-8").split("//# sourceMappingURL=")[0]
    parts = {
        "VIS": library,
        "CSS": json.dumps(_read("graph.css")),
        "CODE": "\n".join((text_beside("memorybank.views.drawing", "channel.js"), *map(_read, _CODE))),
    }
    # One pass, so that nothing inside a part is taken for another part's place.
    script = re.sub(r"/\* (VIS|CSS|CODE) \*/", lambda match: parts[match[1]], _read("loader.js"))
    # Both only ever stand in strings, where the backslash says nothing.
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")
