# The three questions of questions.sql in R.
# Needs install.packages(c("arrow", "dplyr", "jsonlite")).
#
#     Rscript examples/analyses/in_r.R runs/latest
#
# Arrow reads the log as it goes, so the run may be far larger than memory.

suppressPackageStartupMessages({
  library(arrow)
  library(dplyr)
})

run <- commandArgs(trailingOnly = TRUE)
if (length(run) != 1) stop("usage: Rscript in_r.R RUN", call. = FALSE)
target <- jsonlite::fromJSON(file.path(run, "manifest.json"))$rules$target
game <- c("pairing", "block", "mirror", "game")

# The hands with what each earned eldest, less the dealer, as `gain`. A game that was won outright is
# worth the target. Words come as factors, whose levels differ between files.
hands <- open_dataset(file.path(run, "hands")) |>
  mutate(
    eldest = as.character(eldest),
    dealer = as.character(dealer),
    winner = as.character(winner),
    put_by = as.character(put_by),
    put_answer = as.character(put_answer)
  ) |>
  mutate(
    gain = as.integer(eldest_points) - as.integer(dealer_points) +
      if_else(outright, if_else(winner == "eldest", target, -target), 0L)
  )

# 1. Which seat earns what: hands, share won, points a hand, won less lost.
by_pairing <- hands |>
  group_by(eldest, dealer) |>
  summarise(
    hands = n(),
    eldest_won = sum(winner == "eldest", na.rm = TRUE),
    dealer_won = sum(winner == "dealer", na.rm = TRUE),
    gain = sum(gain),
    .groups = "drop"
  ) |>
  collect()
by_seat <- bind_rows(
  transmute(by_pairing, strategy = eldest, seat = "eldest", hands, won = eldest_won, points = gain),
  transmute(by_pairing, strategy = dealer, seat = "dealer", hands, won = dealer_won, points = -gain)
) |>
  group_by(strategy, seat) |>
  summarise(hands = sum(hands), won = sum(won) / hands, points = sum(points) / hands,
            .groups = "drop")

# 2. How often a put gets through, and what it earns: the first put of each hand.
by_putter <- hands |>
  filter(!is.na(put_answer)) |>
  mutate(
    strategy = if_else(put_by == "eldest", eldest, dealer),
    through = put_answer == "throw",
    won_seen = put_answer == "see" & coalesce(winner == put_by, FALSE),
    points = if_else(put_by == "eldest", gain, -gain)
  ) |>
  group_by(strategy) |>
  summarise(
    puts = n(), through = sum(through), won_seen = sum(won_seen), points = sum(points),
    .groups = "drop"
  ) |>
  collect() |>
  transmute(
    strategy, puts,
    got_through = through / puts,
    won_if_seen = won_seen / (puts - through),
    points = points / puts
  )

# 3. What a score is worth: of the hands dealt at it, the share in whose game eldest won.
games <- open_dataset(file.path(run, "games")) |>
  transmute(pairing, block, mirror, game, winner_of_game = as.character(winner))
by_score <- hands |>
  inner_join(games, by = game) |>
  group_by(eldest_score, dealer_score) |>
  summarise(hands = n(), wins = sum(winner_of_game == eldest), .groups = "drop") |>
  collect() |>
  transmute(eldest_score, dealer_score, hands, eldest_wins = wins / hands)

# Shares and points have three digits; rows are in the order of their first two columns.
whole <- c("hands", "puts", "eldest_score", "dealer_score")
show_answer <- function(question, answer) {
  answer <- answer[order(answer[[1]], answer[[2]], method = "radix"), ]
  columns <- lapply(names(answer), function(name) {
    values <- answer[[name]]
    cells <- if (is.character(values)) {
      values
    } else if (name %in% whole) {
      format(values, scientific = FALSE, trim = TRUE)
    } else {
      ifelse(is.nan(values), "-", sprintf("%.3f", values))
    }
    formatC(c(name, cells), width = max(nchar(c(name, cells))))
  })
  cat(question, do.call(paste, c(columns, sep = "  ")), "", sep = "\n")
}

show_answer("1. Which seat earns what?", by_seat)
show_answer("2. How often does a put get through, and what does it earn?", by_putter)
show_answer("3. What is a score worth?", by_score)
