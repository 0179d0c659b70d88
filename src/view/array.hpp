// What a view shows: named arrays with units, marks in the model, cases, and where a run is. No family.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace umov::view {

enum class Kind { field, curve, scalar, points, triangles, text };

/// A column of a curve or of points.
struct Column {
  std::string name, unit;
  std::string role = {};  ///< in a table of many cases: "parameter", "given", "response", "count"
};

/// A region of triangles.
struct Region {
  int id = 0;
  std::string name;
};

/// One named array, as docs/view_protocol.md has it. Which members count depends on the kind.
struct ArrayInfo {
  int id = -1, case_id = 0;
  std::string name, label, text, unit = "1", role;
  Kind kind = Kind::field;
  bool live = false;             ///< changes while the run goes on
  std::vector<long long> shape;  ///< field: cells along x, y, z; curve: rows, columns
  Vec3 origin{0, 0, 0};          ///< field: low corner of the first cell
  Vec3 spacing{1, 1, 1};
  std::string length_unit = "1";
  bool is_signed = false;
  int cut_axis = -1, cut_index = 0;  ///< field: the cut to begin with; -1: any
  bool logarithmic = false;
  std::vector<Column> columns;
  std::vector<Region> regions;
  std::vector<std::string> rows;  ///< names of the rows of points; empty: they have none
  std::string instants;  ///< name of the curve that lists the times it can be asked for; empty: now only
};

/// A source, a monitor, a layer: what is drawn above a field.
struct Mark {
  int case_id = 0;
  std::string role, name, text;
  Vec3 center{0, 0, 0}, size{0, 0, 0}, arrow{0, 0, 0};  ///< arrow 0: none
  bool dashed = false;
  std::vector<Int3> cells;  ///< of a drawn shape; else empty
  Int3 raster{0, 0, 0};     ///< that the cells count in
};

struct CaseInfo {
  int id = 0;
  std::string name, family, state, folder, text;
  long long changed = 0;  ///< seconds since 1970
};

/// The picture a run was made from.
struct PictureInfo {
  int width = 0, height = 0;
  Vec3 origin{0, 0, 0},
      spacing{1, 1, 1};  ///< low corner of the picture and edges of a pixel; row 0 is the highest y
};

/// All there is to see.
struct Catalogue {
  int generation = 0;
  std::vector<CaseInfo> cases;
  std::vector<ArrayInfo> arrays;  ///< ids are places in this list
  std::vector<Mark> marks;
  PictureInfo picture;  ///< width 0: none that may be replaced
  std::string title;    ///< of the run as it is now; empty: that of the server
};

enum class State { preparing, running, paused, stopping, finished, failed, following };

/// Where a run is.
struct Progress {
  State state = State::preparing;
  std::string stage, measure, text;
  long step = 0, limit = 0;
  bool fixed = true;
  double time = 0, seconds = 0, rate = 0;  ///< rate: steps per second
  std::string time_unit;
  std::string counts = "step";  ///< what a step is called: "iteration"
  double fraction = -1;  ///< of the run that is done, where no step is known to be the last; -1: unknown
  double left = std::numeric_limits<double>::quiet_NaN();  ///< seconds; NaN: by the fraction, or the limit
};

}  // namespace umov::view
