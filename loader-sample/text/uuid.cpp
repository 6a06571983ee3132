#include "text/uuid.hpp"

#include <boost/uuid/random_generator.hpp>
#include <boost/uuid/uuid_io.hpp>

namespace dsh::loader {

std::string random_uuid() { return boost::uuids::to_string(boost::uuids::random_generator()()); }

}  // namespace dsh::loader
