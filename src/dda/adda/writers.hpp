// The writers of ADDA's files, one family each. `dir` exists; all throw as AtomicFile does.
#pragma once

#include <string>

#include "dda/outcome.hpp"

namespace umov::results::adda {

void write_cross_sections(const dda::Outcome&, const std::string& dir);
void write_scattering(const dda::Outcome&, const std::string& dir);
void write_fields(const dda::Outcome&, const std::string& dir);
void write_extras(const dda::Outcome&, const std::string& dir);
void write_geometry(const dda::Outcome&, const std::string& dir);

/// (a,b,c) with ten significant digits.
std::string vector_text(const Vec3&);
/// a+bi with ten significant digits.
std::string complex_text(const cplx&);

// Paragraphs of the log, in its order.
std::string log_particle(const dda::Outcome&);
std::string log_light(const dda::Outcome&);
std::string log_method(const dda::Outcome&);
std::string log_solution(const dda::PolarizationResult&, const dda::Outcome&);
std::string log_timing(const dda::Outcome&);

}  // namespace umov::results::adda
