#include "text/error.hpp"
