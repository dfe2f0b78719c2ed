"""Drawing: scenes as SVG or pixels, and search trees."""
