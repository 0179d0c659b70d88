// Which parameters of `umov eqs` have no effect in which case: declared after the parameters themselves.
#pragma once

#include "eqs/case/case.hpp"

namespace umov::eqs {

void declare_case_readers(ParameterTable<Case>&);
void declare_part_readers(ParameterTable<mesh::Part>&);
void declare_electrode_readers(ParameterTable<ElectrodeCase>&);

}  // namespace umov::eqs
