"""The shapes of the plots, in the reader's light or dark theme."""

from xml.sax.saxutils import escape

# Colors of the light and the dark theme: the paper, the ink, the axes, and the series.
_STYLE = """
text { font: 13px system-ui, "Segoe UI", sans-serif; fill: var(--ink) }
.title { font-size: 15px; font-weight: 600 } .faint { fill: var(--faint) } .strong { font-weight: 600 }
.paper { fill: var(--paper) } .axis { stroke: var(--axis); stroke-width: 1 }
.line { fill: none; stroke-width: 2; stroke-linejoin: round } .plain { fill: var(--plain) }
"""
_LIGHT = {
    "paper": "#ffffff", "ink": "#1f2328", "faint": "#59636e", "axis": "#d8dde3", "plain": "#aab4bf",
    "headgate": "#1668d6", "nginx": "#1a7f37", "haproxy": "#b35900", "envoy": "#a8358f", "smg": "#c0272d",
    "litellm": "#8250df", "relay": "#59636e"}
_DARK = {
    "paper": "#0d1117", "ink": "#e6edf3", "faint": "#9198a1", "axis": "#30363d", "plain": "#57606a",
    "headgate": "#58a6ff", "nginx": "#3fb950", "haproxy": "#f0883e", "envoy": "#f778ba", "smg": "#ff7b72",
    "litellm": "#bc8cff", "relay": "#9198a1"}


def _variables(colours):
    return "svg { " + " ".join(f"--{name}: {value};" for name, value in colours.items()) + " }"


class Drawing:
    """A growing SVG file; coordinates are in pixels from the upper left corner."""

    def __init__(self, width, height, description):
        self.width, self.height, self.description = width, height, description
        self.shapes = []

    def text(self, x, y, text, *, kind="", anchor="start"):
        self.shapes.append(f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{escape(text)}</text>')

    def bar(self, x, y, width, height, kind):
        self.shapes.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 1):.1f}" height="{height}" rx="2" '
            f'style="fill: var(--{kind})"/>')

    def rule(self, x1, y1, x2, y2):
        self.shapes.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="axis"/>')

    def line(self, points, series):
        """Draws a line through the points, with a dot on each."""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.shapes.append(f'<polyline points="{path}" class="line" style="stroke: var(--{series})"/>')
        self.shapes += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" style="fill: var(--{series})"/>' for x, y in points]

    def write(self, path):
        style = f"{_variables(_LIGHT)}\n@media (prefers-color-scheme: dark) {{ {_variables(_DARK)} }}{_STYLE}"
        path.write_text("\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" role="img" '
            f'width="{self.width}" height="{self.height}">', f"<title>{escape(self.description)}</title>",
            f"<style>{style}</style>", f'<rect width="{self.width}" height="{self.height}" class="paper"/>',
            *self.shapes, "</svg>", ""]))
