"""Running a tournament: what is played (schedule), the unit of work (shard), who does it
(workers), and a run from the first line of its manifest to its standings (run)."""
