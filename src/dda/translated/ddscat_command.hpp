// `umov ddscat`: DDSCAT's ddscat.par, run by umov.
#pragma once

#include <span>
#include <string>

namespace umov::dda {

/// `umov ddscat [ddscat.par] [flags]`. Returns the exit code; errors are thrown.
int ddscat_command(std::span<const std::string> args);

}  // namespace umov::dda
