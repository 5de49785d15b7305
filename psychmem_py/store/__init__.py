"""The database: alone speaks SQL, and decides nothing. Begin with `schema.sql`, then `change_log.apply`."""
