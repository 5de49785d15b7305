"""Everything on one page, for a person's browser. Begin with `page.html`."""
