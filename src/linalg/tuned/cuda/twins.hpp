// All that linalg's templates find on a GPU in place of their simple parts.
#pragma once

#include "linalg/sparse/fast_rows.hpp"
#include "linalg/tuned/cuda/dense_inverse.hpp"
#include "linalg/tuned/cuda/independent_set.hpp"
#include "linalg/tuned/cuda/multiply.hpp"
#include "linalg/tuned/cuda/prolongation.hpp"
#include "linalg/tuned/cuda/rows.hpp"
#include "linalg/tuned/cuda/variant.hpp"
