-- Three questions to the log of a run of two players or sides, in SQL for DuckDB.
--
--     python examples/analyses/in_duckdb.py RUN
--     duckdb -cmd "CREATE VIEW hands AS FROM 'RUN/hands/*.parquet';
--                  CREATE VIEW games AS FROM 'RUN/games/*.parquet';
--                  CREATE VIEW manifest AS FROM 'RUN/manifest.json'" \
--         < examples/analyses/questions.sql
--
-- `hands` has one row a deal, `games` one row a game; the RUN's README.md explains every column.
-- in_pandas.py, in_polars.py and in_r.R ask the same and print the same.

-- Every hand with what it earned eldest, less what it earned the dealer. A game that was won
-- outright is worth the target.
CREATE OR REPLACE TEMP VIEW earned AS
SELECT
    hands.*,
    eldest_points - dealer_points
        + CASE WHEN NOT outright THEN 0 WHEN winner = 'eldest' THEN target ELSE -target END AS gain
FROM hands, (SELECT rules.target AS target FROM manifest);

-- 1. Which seat earns what? The share of hands won from it, and the points a hand, won less lost.
SELECT
    strategy,
    seat,
    count(*) AS hands,
    sum(won::int) / count(*) AS won,
    sum(points) / count(*) AS points
FROM (
    SELECT eldest AS strategy, 'eldest' AS seat, coalesce(winner = 'eldest', false) AS won,
        gain AS points
    FROM earned
    UNION ALL
    SELECT dealer, 'dealer', coalesce(winner = 'dealer', false), -gain
    FROM earned
)
GROUP BY strategy, seat
ORDER BY strategy, seat;

-- 2. How often does a put get through, and what does it earn? Of the first put of each hand: the
--    share that the other threw in his cards to, the share won of those seen, and the points a put.
SELECT
    CASE put_by WHEN 'eldest' THEN eldest ELSE dealer END AS strategy,
    count(*) AS puts,
    sum((put_answer = 'throw')::int) / count(*) AS got_through,
    sum((put_answer = 'see' AND coalesce(winner = put_by, false))::int)
        / nullif(sum((put_answer = 'see')::int), 0) AS won_if_seen,
    sum(CASE put_by WHEN 'eldest' THEN gain ELSE -gain END) / count(*) AS points
FROM earned
WHERE put_answer IS NOT NULL
GROUP BY ALL
ORDER BY strategy;

-- 3. What is a score worth? Of the hands dealt at each score, the share in whose game eldest went
--    on to win.
SELECT
    eldest_score,
    dealer_score,
    count(*) AS hands,
    sum((games.winner = eldest)::int) / count(*) AS eldest_wins
FROM earned
JOIN games USING (pairing, block, mirror, game)
GROUP BY eldest_score, dealer_score
ORDER BY eldest_score, dealer_score;
