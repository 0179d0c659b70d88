// A directory of `umov pmaxwell`: forty files of VTK, one per array.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pmaxwell/system.hpp"

namespace umov::pmaxwell {

/// Reads E_xy.vtk ... H_bnd_y.vtk. The grid is the one that most files have the size for. Throws BadInput,
/// naming the file, for one that is missing, is no complex grid (see vtk_file.hpp), has the size of another
/// grid, holds the data of another file by name or was written in another layout by its title, and where no
/// s_H has Faraday's minus. `read`: called before each file with its name.
System read_directory(const std::string& folder, const Layout& = {},
                      const std::function<void(const std::string&)>& read = {});

/// Throws BadInput where files would be written over: those of the arrays before `end`.
void require_vacant(const std::string& folder, int end, const Layout&);

/// Writes one array under its name in that layout, which its title ends with, and negated where it asks for
/// it. `nodes`: [cells + 1] of
/// each axis; points between nodes lie half way.
void write_array(const std::string& folder, int array, const Layout&,
                 const std::array<std::vector<double>, 3>& nodes, const std::string& title,
                 std::vector<Value> values, bool text);

/// Coordinates of the points of an array.
std::array<std::vector<double>, 3> axes_of(int array, const std::array<std::vector<double>, 3>& nodes);

std::string file_of(const std::string& folder, int array, const Layout& = {});

}  // namespace umov::pmaxwell
