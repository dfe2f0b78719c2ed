"""Parts of pages: boards, panels, fields and lists."""
