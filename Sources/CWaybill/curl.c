#include "curl.h"
