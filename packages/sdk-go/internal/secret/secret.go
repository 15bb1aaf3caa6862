// Package secret reads keys and signing secrets.
package secret

import (
	"fmt"
	"strings"
)

// Read gives a secret as files have it, without the blanks, line ends and byte order mark around it. No error shows it.
func Read(name, text string) (string, error) {
	secret := strings.Trim(text, " \t\r\n\v\f\ufeff")
	if secret == "" {
		return "", fmt.Errorf("runhook: %s must not be empty", name)
	}
	for _, char := range []byte(secret) {
		if char < '!' || char > '~' {
			return "", fmt.Errorf("runhook: %s must be of visible ASCII characters", name)
		}
	}
	return secret, nil
}
