// The rows of a sweep on rank 0: which are finished, what is kept and told of them and of their workers.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harmonic/run/observer.hpp"
#include "harmonic/run/row_news.hpp"
#include "harmonic/run/run.hpp"
#include "run/ledger.hpp"

namespace umov::harmonic {

/// The observer hears of one worker at a time, until its row is done.
class RowBook final : public run::Listener {
 public:
  /// `rows` in the order of the tables. Rows of `state` that converged are taken over.
  RowBook(const Sweep&, Journal&, std::vector<Row> rows, SweepState state);

  std::size_t wanted() const { return rows_.size(); }
  std::size_t finished() const { return finished_; }
  std::size_t taken_over() const { return taken_over_; }
  /// Numbers of the rows to compute.
  std::vector<std::size_t> open_rows() const;
  /// Workers as they are called in what is told, by their devices: two on one device have one name.
  void open(std::vector<std::string> workers);

  void taken(int worker, std::size_t number) override;
  bool told(int worker, std::size_t number, const Packed& news) override;
  void finished(int worker, std::size_t number, const Packed& found) override;
  void left_out(int worker, std::size_t number, const std::string& why) override;
  void failed(int worker, bool others) override;
  void left(int worker) override;

  /// The finished rows in the order of the tables, with what came of each.
  std::vector<std::pair<const FinishedRow*, std::string>> in_order() const;
  /// Names of the devices that computed, and how many rows each; "" where none did.
  std::string devices() const;
  /// A line for each device of several workers: its rows by their numbers in the tables, from 1.
  std::vector<std::string> shares() const;

  // how much absorbing ends of the cell send back
  std::size_t rows_near_grazing() const { return rows_near_grazing_; }
  double sent_back() const { return sent_back_; }
  const std::string& least_absorbed() const { return least_absorbed_; }

 private:
  struct Worker {
    std::string name, device, stage, iteration;
    bool left = false;        ///< computes no more
    bool setting_up = false;  ///< before the first iteration of a solve
    std::vector<std::size_t> rows;
  };
  struct Place {
    std::size_t at = 0;  ///< in the state
    bool finished = false;
    std::string trouble;
  };

  std::vector<Worker> by_device() const;
  std::string stage_text(const Worker&, const std::string& what) const;
  void show(int worker);
  void set_up(int worker, bool on);
  void begin(int worker, const RowNews&);
  bool iterate(int worker, const RowNews&);
  void note_report(int worker, const FoundRow&);
  void keep(const FinishedRow&);

  const Sweep& sweep_;
  Journal& journal_;
  std::vector<Row> rows_;
  SweepState state_;
  std::optional<run::BlockFile> file_;  ///< from this run's first row on
  std::vector<Place> places_;
  std::vector<Worker> workers_;
  std::size_t finished_ = 0, taken_over_ = 0, computed_ = 0, rows_near_grazing_ = 0;
  int shown_ = -1;  ///< the worker whose solve the observer follows
  double sent_back_ = 0, computing_ = 0;
  std::string least_absorbed_;
};

}  // namespace umov::harmonic
