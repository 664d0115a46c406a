#pragma once

// SHA-256 where CryptoKit does not exist: https://docs.openssl.org/3.0/man3/EVP_DigestInit/
#include <openssl/evp.h>
