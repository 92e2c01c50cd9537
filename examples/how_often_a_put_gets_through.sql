-- How often does a put get through, and who puts with what?
--
--     python examples/puts_in_duckdb.py RUN
--     duckdb -cmd "CREATE VIEW hands AS FROM 'RUN/hands/*.parquet'" \
--         < examples/how_often_a_put_gets_through.sql
--
-- `hands` is the hands log of a run, one row a deal; its README.md explains every column. A put gets
-- through when the other throws in his cards. Rules that allow several puts in a hand log the first
-- one in these columns. puts_in_polars.py asks the same questions and gets the same numbers.

-- The first put of each hand from the side of the one who said it. One that was never answered,
-- because a player forfeited, does not count.
CREATE OR REPLACE TEMP VIEW answered AS
SELECT
    CASE put_by WHEN 'eldest' THEN eldest_score ELSE dealer_score END AS own_score,
    CASE put_by WHEN 'eldest' THEN dealer_score ELSE eldest_score END AS their_score,
    put_answer = 'throw' AS through,
    coalesce(winner = put_by, false) AS won
FROM hands
WHERE put_answer IS NOT NULL;

-- Every holding: two of each deal. Weak is one whose best card is a Queen or lower.
CREATE OR REPLACE TEMP VIEW holdings AS
SELECT
    unnest([eldest, dealer]) AS strategy,
    unnest([eldest_cards, dealer_cards]) AS cards,
    NOT regexp_matches(cards, '[32AK]') AS weak,
    coalesce(unnest(['eldest', 'dealer']) = put_by, false) AND put_answer IS NOT NULL AS put,
    put_answer = 'throw' AS through,
    coalesce(winner = put_by, false) AS won
FROM hands;

-- 1. By the score before the hand: how many puts, the share that got through, and the share that
--    was won of those that were seen.
SELECT
    own_score,
    their_score,
    count(*) AS puts,
    avg(through::int) AS got_through,
    avg(won::int) FILTER (NOT through) AS won_if_seen
FROM answered
GROUP BY own_score, their_score
ORDER BY own_score, their_score;

-- 2. Who bluffs: how often weak cards were held, the share of them that were put, how many of the
--    strategy's puts that makes, and the share of those bluffs that got through.
SELECT
    strategy,
    count(*) FILTER (weak) AS weak_hands,
    avg(put::int) FILTER (weak) AS bluffed,
    avg(weak::int) FILTER (put) AS of_its_puts,
    avg(through::int) FILTER (weak AND put) AS got_through
FROM holdings
GROUP BY strategy
ORDER BY bluffed DESC, strategy;

-- 3. Which cards bluff: the weak holdings that were put most often.
SELECT
    cards,
    count(*) AS held,
    count(*) FILTER (put) AS bluffs,
    avg(put::int) AS bluffed,
    avg(through::int) FILTER (put) AS got_through,
    avg(won::int) FILTER (put AND NOT through) AS won_if_seen
FROM holdings
WHERE weak
GROUP BY cards
ORDER BY bluffs DESC, cards
LIMIT 12;
