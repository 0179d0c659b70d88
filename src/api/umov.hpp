// All of the library: #include <umov/umov.hpp>.
#pragma once

#include "api/family.hpp"
#include "api/files.hpp"
#include "api/system.hpp"
