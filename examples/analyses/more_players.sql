-- Three and more players: what is a card worth in its turn, and who stays in when somebody puts?
--
--     put tournament --rules three-handed --out RUN
--     duckdb -cmd "CREATE VIEW hands AS FROM 'RUN/hands/*.parquet';
--                  CREATE VIEW plays AS FROM 'RUN/plays/*.parquet'" \
--         < examples/analyses/more_players.sql
--
-- `hands` has one row a deal and a column for each seat (A is eldest, the last one deals); `plays`
-- has one row a card. The RUN's README.md explains every column.

-- 1. Each rank in the first trick, by turn: how often it was played, and how often it took the
--    trick. A lead has yet to be beaten; the last to play knows what there is to beat.
SELECT
    card,
    turn,
    count(*) AS played,
    avg(coalesce(trick1 = seat, false)::int) AS taken
FROM plays
JOIN hands USING (pairing, block, mirror, game, hand)
WHERE trick = 1
GROUP BY card, turn
ORDER BY taken DESC, card, turn;

-- 2. Each strategy asked by a put of somebody else: how often it saw, and how often the hand was
--    then its own. With four players add D to both lists, and so on.
WITH asked AS (
    SELECT
        strategy,
        coalesce(contains(seen_by, seat), false) AS saw,
        coalesce(winner = seat, false) AS won
    FROM (
        SELECT
            unnest(['A', 'B', 'C']) AS seat,
            unnest([strategy_A, strategy_B, strategy_C]) AS strategy,
            put_by, seen_by, winner
        FROM hands
        WHERE put_by IS NOT NULL
    )
    WHERE seat <> put_by
)
SELECT
    strategy,
    count(*) AS asked,
    avg(saw::int) AS saw,
    avg(won::int) FILTER (saw) AS won_if_seen
FROM asked
GROUP BY strategy
ORDER BY saw DESC, strategy;
