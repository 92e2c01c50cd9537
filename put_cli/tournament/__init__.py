"""Running a tournament: what is asked for (settings), what is played (schedule), the unit of work
(shard), who does it (workers), a run from the first line of its manifest to its last table (run),
and what came of it (outcome, finding)."""
