// Where make_engine finds the engines of each backend; a backend's own library hands out the same table.
#pragma once

#include <memory>

#include "backend/choose_engine.hpp"
#include "comm/communicator.hpp"
#include "eqs/engine.hpp"

namespace umov::eqs {

std::unique_ptr<Engine> make_serial_engine(const Problem&, const EngineRequest&);
std::unique_ptr<Engine> make_cpu_engine(const Problem&, const EngineRequest&);
/// This rank's part of an engine, for its share of a problem. Of every rank; all members of the engine are
/// then called by every rank, and give all of them the same numbers, but for potential() and field(), which
/// are the share's, and the bytes of states, which are rank 0's.
std::unique_ptr<Engine> make_ranked_engine(const Problem&, const EngineRequest&, comm::Communicator&);
std::unique_ptr<Engine> make_ranked_serial_engine(const Problem&, const EngineRequest&, comm::Communicator&);
std::unique_ptr<Engine> make_ranked_cpu_engine(const Problem&, const EngineRequest&, comm::Communicator&);

/// What a backend module answers when asked for the family "eqs".
using EngineFactory = backend::EngineFactory<Engine, Problem, EngineRequest>;

}  // namespace umov::eqs
