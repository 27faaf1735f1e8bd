layout(location = 0) in vec2 corner;
uniform mat4 camera;
uniform vec2 middle;
uniform float extent;
out vec2 at;

void main() {
    at = middle + extent * corner;
    gl_Position = camera * vec4(at, 0.0, 1.0);
}
