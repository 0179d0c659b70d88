// In the place of CUDA's own header.
#pragma once

#include "backend/cuda/check.hpp"
