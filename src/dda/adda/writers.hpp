// The writers of ADDA's files, one family each. `dir` exists; all throw as AtomicFile does.
#pragma once

#include <string>

#include "dda/outcome.hpp"

namespace umov::dda::adda {

void write_cross_sections(const Outcome&, const std::string& dir);
void write_scattering(const Outcome&, const std::string& dir);
void write_fields(const Outcome&, const std::string& dir);
void write_extras(const Outcome&, const std::string& dir);
void write_geometry(const Outcome&, const std::string& dir);

/// (a,b,c) with ten significant digits.
std::string vector_text(const Vec3&);
/// a+bi with ten significant digits.
std::string complex_text(const cplx&);

// Paragraphs of the log, in its order.
std::string log_particle(const Outcome&);
std::string log_light(const Outcome&);
std::string log_method(const Outcome&);
std::string log_solution(const PolarizationResult&, const Outcome&);
std::string log_timing(const Outcome&);

}  // namespace umov::dda::adda
