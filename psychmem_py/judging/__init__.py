"""A second opinion on what the rules propose: what is asked, what is believed of the answer, and what it changes."""
